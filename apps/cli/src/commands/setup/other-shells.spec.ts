import { describe, expect, it } from '@jest/globals';
import { OTHER_SHELLS, completeIn, hasShell, type OtherShell } from '../../testing/real-shells';
import { ScriptedCatalog } from '../../testing/scripted-catalog';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const OFFERED = ['urn:li:tag:', ORDERS, 'dataset', 'dataJob', 'dataProduct'];

/** The typed text, the line after a tab in zsh, and the offers of fish. */
const CASES = [
  ['ti', 'timeline ', 'timeline'],
  ['model sh', 'model show ', 'show'],
  ['tasks wa', 'tasks watch ', 'watch'],
  ['--server http://localhost:1 sta', '--server http://localhost:1 status ', 'status'],
  ['load --json --con', 'load --json --concurrency ', '--concurrency'],
  ['tasks watch --js', 'tasks watch --json ', '--json'],
  ['load /dev/nul', 'load /dev/null ', '/dev/null'],
  ['rebuild ti', 'rebuild timeseries ', 'timeseries'],
  ['tasks list --state can', 'tasks list --state cancell', 'cancelled cancelling'],
  ['audit --outcome=fa', 'audit --outcome=failed ', '--outcome=failed'],
  ['get urn:li:ta', 'get urn:li:tag:', 'urn:li:tag:'],
  ["get 'urn:li:dataset:(", `get '${ORDERS}' `, ORDERS],
  ['get urn:li:dataset:\\(urn', 'get urn:li:dataset:\\(urn:li:dataPlatform:hive,orders,PROD\\) ', ORDERS],
  ['get --version 1 --token=t urn:li:ta', 'get --version 1 --token=t urn:li:tag:', 'urn:li:tag:'],
  ['search x --entity dataP', 'search x --entity dataProduct ', 'dataProduct'],
  ['search x --entity=dataP', 'search x --entity=dataProduct ', '--entity=dataProduct'],
] as const;

const missing = OTHER_SHELLS.filter((shell) => !hasShell(shell));
if (missing.length > 0) {
  const why = `${missing.join(' and ')} are not installed`;
  declareNotRun({ what: 'completion in other shells than bash', why, missing: 'service' });
}

async function scriptFor(shell: OtherShell): Promise<string> {
  const catalog = await ScriptedCatalog.start();
  const { out } = await catalog.run(['completion', shell]);
  await catalog.stop();
  return out;
}

describe.each(OTHER_SHELLS)('completion in %s', (shell) => {
  (missing.includes(shell) ? it.skip : it)('completes commands, options, files, urns and types', async () => {
    const typed = CASES.map(([line]) => line);
    const script = await scriptFor(shell);
    expect(await completeIn(shell, { script, typed, offered: OFFERED })).toEqual(
      CASES.map(([, inZsh, inFish]) => (shell === 'zsh' ? inZsh : inFish)),
    );
  });
});
