// For jest: runs the suites, then those that measure time, two at a time.
import TestRunner from 'jest-runner';
import { orderSuites } from './suite-order.mjs';

/** One for each core of the reference machine. */
const MEASURING_AT_ONCE = 2;

export default class SuiteRunner extends TestRunner {
  async runTests(tests, watcher, options) {
    const { beside, alone } = orderSuites(tests);
    await super.runTests(beside, watcher, options);
    if (alone.length === 0) return;
    const maxWorkers = Math.min(MEASURING_AT_ONCE, this._globalConfig.maxWorkers);
    this._globalConfig = { ...this._globalConfig, maxWorkers };
    await super.runTests(alone, watcher, options);
  }
}
