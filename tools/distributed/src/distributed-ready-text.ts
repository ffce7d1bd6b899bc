import { shellWord } from '@stratalog/runtime';
import type { SupervisedApp } from './supervised-app';

export interface ReadyCatalog {
  readonly url: string;
  readonly apps: readonly Pick<SupervisedApp, 'name' | 'pid' | 'url' | 'metrics'>[];
}

/**
 * Formats the message of `npm run start:distributed` for a ready catalog: the address of each app, and how to
 * print the token. `tokenFolder` is the folder of a token that this start created.
 */
export function distributedReadyText({ url, apps }: ReadyCatalog, tokenFolder: string | undefined): string {
  const token =
    tokenFolder === undefined
      ? 'STRATALOG_TOKEN'
      : `npm run cli -- token --data-dir ${shellWord(tokenFolder)}`;
  return `stratalog ready ${url}

${tableOf(apps)}
The operator's token: ${token}        Stop: Ctrl-C
`;
}

function tableOf(apps: ReadyCatalog['apps']): string {
  const head = ['app', 'process', 'address', 'metrics'];
  const rows = [head, ...apps.map(({ name, pid, url, metrics = '' }) => [name, String(pid), url, metrics])];
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
