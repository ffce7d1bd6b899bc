import { fileURLToPath } from 'node:url';
import { StratalogError } from '@stratalog/model';
import { createLogger, parseSettings, unknownSettings, type RunningCatalog } from '@stratalog/runtime';
import { helpText, parseArguments } from './arguments';
import { loadDemo } from './load-demo';
import { readyText } from './ready-text';
import { startStandalone } from './start-standalone';
import { untilLost, untilTold } from './until-told';

/** The same from the sources and from the bundle. */
const DEMO = fileURLToPath(new URL('../../../apps/standalone/demo', import.meta.url));

/** After an order to stop, what is still going on gets this long before the process ends anyway. */
const STOP_LIMIT_MS = 30_000;

async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2));
  if (parsed.kind === 'help') {
    process.stdout.write(helpText());
    return;
  }
  if (parsed.kind === 'usage') {
    process.stderr.write(`${parsed.fault}\n\n${helpText()}`);
    process.exitCode = 2;
    return;
  }
  const settings = parseSettings(process.env);
  const logger = createLogger(settings);
  for (const name of unknownSettings(process.env))
    logger.warn({ name }, 'an environment variable looks like a setting but is none');
  const told = untilTold();
  void told.then(endAnyway);
  const catalog = await startStandalone(settings, logger);
  try {
    const ending = Promise.race([told, untilLost(catalog)]);
    const isReady = await Promise.race([catalog.ready.then(() => true), ending.then(() => false)]);
    if (isReady) {
      if (parsed.demo) await loadDemo(catalog.parts, DEMO);
      process.stdout.write(readyText(catalog.url, settings, parsed.demo));
    }
    const reason = await ending;
    logger.info({ reason }, 'stopping');
  } finally {
    await stop(catalog);
  }
}

async function stop(catalog: RunningCatalog): Promise<void> {
  endAnyway();
  await catalog.stop();
}

/** Bounds the end, wherever the process is: in the middle of its start, too. */
function endAnyway(): void {
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
}

main().catch((error: unknown) => {
  const known = error instanceof StratalogError && error.code !== 'fault';
  process.stderr.write(
    `stratalog: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 1;
});
