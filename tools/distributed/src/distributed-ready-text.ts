import { shellWord } from '@stratalog/runtime';

/** What `npm run start:distributed` prints when the catalog is of use; `tokenFolder` is where it has put the token, if it was it that made one. */
export function distributedReadyText(url: string, tokenFolder: string | undefined): string {
  const token =
    tokenFolder === undefined
      ? 'STRATALOG_TOKEN'
      : `npm run cli -- token --data-dir ${shellWord(tokenFolder)}`;
  return `stratalog ready ${url}

The operator's token: ${token}        Stop: Ctrl-C
`;
}
