import { resolve } from 'node:path';
import { shellWord, type RunningCatalog, type Settings } from '@stratalog/runtime';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';

/** Formats the message of `npm start` for a ready catalog: its address and three example commands. */
export function readyText(
  { url, metricsUrl }: Pick<RunningCatalog, 'url' | 'metricsUrl'>,
  settings: Pick<Settings, 'auth' | 'dataDir' | 'token'>,
  demo: boolean,
): string {
  // A token from the environment is in no file.
  const folder =
    settings.dataDir === resolve('.stratalog') ? '' : ` --data-dir ${shellWord(settings.dataDir)}`;
  const isGiven = settings.token !== undefined;
  const shown = isGiven ? '$STRATALOG_TOKEN' : `$(npm run --silent cli -- token${folder})`;
  const header = settings.auth === 'all' ? ` -H "Authorization: Bearer ${shown}"` : '';
  const proposal = {
    proposal: {
      entityType: 'dataset',
      entityUrn: URN,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { value: '{"description":"Orders of the shop"}', contentType: 'application/json' },
    },
  };
  const search = { input: demo ? 'orders' : 'shop', entity: 'dataset', start: 0, count: 10 };
  return `stratalog ready ${url}

Try it:
  curl${header} '${url}/aspects?action=ingestProposal' -d '${JSON.stringify(proposal)}'
  curl${header} '${url}/entitiesV2/${encodeURIComponent(URN)}'
  curl${header} '${url}/entities?action=search' -d '${JSON.stringify(search)}'

The operator's token: ${isGiven ? 'STRATALOG_TOKEN' : `npm run cli -- token${folder}`}        Stop: Ctrl-C
${metricsUrl === undefined ? '' : `Metrics for Prometheus: ${metricsUrl}\n`}`;
}
