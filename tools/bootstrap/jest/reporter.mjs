// For jest: writes the counts for the process that started the run, and the suites that could not run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export default class RunReporter {
  onRunComplete(_contexts, results) {
    const notRunFile = process.env.STRATALOG_NOT_RUN_FILE;
    const notRun = notRunFile !== undefined && existsSync(notRunFile) ? readFileSync(notRunFile, 'utf8') : '';
    const lines = [...new Set(notRun.split('\n').filter((line) => line !== ''))];
    if (lines.length > 0) console.error(`\nCould not run:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    const reportFile = process.env.STRATALOG_TEST_REPORT_FILE;
    if (reportFile === undefined) return;
    const report = {
      passed: results.numPassedTests,
      // A suite that does not load has no tests to count, and must not count as passed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(reportFile, JSON.stringify(report));
  }
}
