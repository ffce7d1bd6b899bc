// For jest: runs the suites, as many at a time as jest has workers, then those that measure time, one by one.
import TestRunner from 'jest-runner';
import { orderSuites } from '../test/suite-order.mjs';

export default class SuiteRunner extends TestRunner {
  async runTests(tests, watcher, options) {
    const { together, alone } = orderSuites(tests);
    await super.runTests(together, watcher, options);
    if (alone.length > 0) await super.runTests(alone, watcher, { ...options, serial: true });
  }
}
