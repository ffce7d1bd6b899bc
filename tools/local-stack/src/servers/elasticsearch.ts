import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUICK_TO_START } from './class-archive';
import { ENGINE_LOG4J, ENGINE_READY, engineYaml } from './engine-settings';
import { portsOf } from '../processes/free-ports';
import { findJava } from './java';
import { computeDistribution, type Artifacts } from '../processes/maven-artifacts';
import type { Launch, ServerPlace } from '../processes/running-server';

const ARTIFACTS: Artifacts = {
  name: 'elasticsearch',
  coordinates: ['org.elasticsearch.distribution.integ-test-zip:elasticsearch:8.19.21:zip'],
};
/** Elasticsearch refuses to run as root, so it runs as the user that owns nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const JVM_OPTIONS = [
  '-XX:+UseSerialGC',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:-UsePerfData',
  '-Djava.io.tmpdir=${ES_TMPDIR}',
];

export async function prepareElasticsearch(
  place: ServerPlace,
  heapMb: number,
): Promise<Launch & { port: number }> {
  const { folder, isLongLived } = place;
  const java = await findJava();
  const home = await computeDistribution(ARTIFACTS, place);
  const [port = 0] = await portsOf(folder, 1);
  const paths = {
    config: join(folder, 'config'),
    options: join(folder, 'config', 'jvm.options.d'),
    temporary: join(folder, 'tmp'),
    data: join(folder, 'data'),
    logs: join(folder, 'logs'),
  };
  for (const path of Object.values(paths)) mkdirSync(path, { recursive: true });
  const yaml = engineYaml({
    'http.port': port,
    'xpack.security.enabled': false,
    'path.data': paths.data,
    'path.logs': paths.logs,
  });
  writeFileSync(join(paths.config, 'elasticsearch.yml'), yaml);
  writeFileSync(join(paths.config, 'log4j2.properties'), ENGINE_LOG4J);
  const jvmOptions = isLongLived ? JVM_OPTIONS : [...JVM_OPTIONS, QUICK_TO_START];
  writeFileSync(join(paths.config, 'jvm.options'), `${jvmOptions.join('\n')}\n`);
  const account = process.getuid?.() === 0 ? NOBODY : undefined;
  if (account !== undefined) {
    chmodSync(folder, 0o755);
    for (const path of Object.values(paths)) chownSync(path, account.uid, account.gid);
  }
  return {
    port,
    command: () => ({
      name: 'Elasticsearch',
      command: 'bash',
      args: [join(home, 'bin', 'elasticsearch')],
      env: {
        ES_JAVA_HOME: java.home,
        ES_PATH_CONF: paths.config,
        ES_TMPDIR: paths.temporary,
        ES_JAVA_OPTS: `-Xms64m -Xmx${heapMb}m`,
        CLI_JAVA_OPTS: `-Xmx64m -XX:+UseSerialGC -XX:-UsePerfData ${QUICK_TO_START} -Djava.io.tmpdir=${paths.temporary}`,
        HOME: folder,
      },
      ...(account === undefined ? {} : { account }),
      logFile: join(folder, 'elasticsearch.log'),
      ready: ENGINE_READY,
    }),
  };
}
