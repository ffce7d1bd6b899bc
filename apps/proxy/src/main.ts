import { setTimeout } from 'node:timers/promises';
import { InvalidSettingError, StratalogError } from '@stratalog/domain';
import {
  APPS,
  DRAINING_SIGNAL,
  PROXY,
  givenSetting,
  ignoreOutputErrors,
  parseSettings,
  waitForSignal,
} from '@stratalog/runtime';
import { startProxy } from './start-proxy';

async function main(): Promise<void> {
  ignoreOutputErrors();
  // The apps check the tokens; their default is to require one for every call.
  const auth = givenSetting(process.env, 'STRATALOG_AUTH') ?? 'all';
  const { host, port, vendor, baseUrl, appUrls, tls, proxyUsers, trustedProxies, drainMs } = parseSettings({
    ...process.env,
    STRATALOG_AUTH: auth,
  });
  for (const app of APPS) {
    if (appUrls[app].length === 0)
      throw new InvalidSettingError(`${PROXY.appUrls[app].name} is not set; the proxy needs it`);
  }
  const signalled = waitForSignal();
  const users = proxyUsers === undefined ? undefined : { header: proxyUsers.header, proxies: trustedProxies };
  const proxy = await startProxy({
    host,
    port,
    vendor,
    baseUrl,
    tls,
    users,
    trustedProxies,
    apps: appUrls,
  });
  process.stdout.write(`stratalog proxy ready ${proxy.url}\n`);
  if ((await signalled) === DRAINING_SIGNAL) {
    proxy.drain();
    await setTimeout(drainMs);
  }
  await proxy.stop();
}

main().catch((error: unknown) => {
  const known = error instanceof StratalogError;
  process.stderr.write(
    `stratalog: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 1;
});
