export { AppProgram, CatalogProgram } from './catalog-program';
export { plainEnvironment } from './environment';
export { readHostileHeaders } from './hostile-headers';
export { HttpClient, type Exchange, type HttpRequest } from './http-client';
export { toLatencies, type Latencies } from './latencies';
export {
  allProcesses,
  interruptProcess,
  isRunning,
  kill,
  killServer,
  processesIn,
  readPostmasterPid,
  findServer,
  type ProcessSample,
} from './processes';
export { Program, ROOT, buildBundles, describeEnd, type ProgramEnd, type ProgramOptions } from './program';
export { SeededRandom } from './seeded-random';
export { until, waitFor } from './until';
