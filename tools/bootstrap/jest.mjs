// Runs jest on ESM: `node tools/bootstrap/jest.mjs [jest arguments]`. Starts the servers that the requested
// suites need and the environment does not name, for the duration of the run.
import { runJest } from './test/run-jest.mjs';

const { code } = await runJest(process.argv.slice(2));
process.exitCode = code;
