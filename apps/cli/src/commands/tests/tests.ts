import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { addConnectionOptions } from '../../connection/connect';
import type { SetExitCode } from '../../exit-code';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { testCheckCommand } from './test-check';
import { testExplainCommand, type ExplainOptions } from './test-explain';
import { testResultsCommand, type ResultsOptions } from './test-results';
import { testRunCommand, type RunOptions } from './test-run';

const MAX_COUNT = 10_000_000;
const DEFAULT_COUNT = 100;

/** Adds `test` with its own commands, for metadata tests. */
export function addTestCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const test = program
    .command('test')
    .description('check, run and explain metadata tests; exit code 1 when something fails');
  addCheck(test, terminal, setExitCode);
  addRun(test, terminal, setExitCode);
  addResults(test, terminal, setExitCode);
  addExplain(test, terminal, setExitCode);
}

function addCheck(test: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  test
    .command('check')
    .description('check files with definitions of tests by the model; needs no catalog')
    .argument('<file...>', 'JSON files, each with one test')
    .option('--json', 'print the faults as JSON')
    .addHelpText(
      'after',
      `
The model is the built-in one, and the folders in STRATALOG_MODELS.

Example:
  ${PROGRAM} test check standards/*.json
`,
    )
    .action(async (files: readonly string[], { json }: { readonly json?: true }) => {
      setExitCode(await testCheckCommand(files, { isJson: json === true }, terminal));
    });
}

function addRun(test: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(test.command('run'))
    .description('evaluate tests for all entities or for some, write the results, and count them')
    .option('--test <urn>', 'only this test; may be repeated', collected, [])
    .option('--type <type>', 'only entities of this type; may be repeated', collected, [])
    .option('--urn <urn>', 'only this entity; may be repeated', collected, [])
    .option('--query <text>', 'only entities that this search finds')
    .option('--dry-run', 'write nothing, and say what would be written')
    .option('--yes', 'do not ask before actions of tests write to entities')
    .option('--no-wait', 'return at once; the catalog goes on by itself')
    .option('--json', 'print the task as JSON')
    .addHelpText(
      'after',
      `
Actions of tests may write to the tested entities. The command says first how many patches that are, and asks.

Needs a token with the scope operate, such as the operator's ("${PROGRAM} token"). Exit code 1 when an entity fails or cannot be tested, or when a named test or entity does not exist.

Examples:
  ${PROGRAM} test run
  ${PROGRAM} test run --test urn:li:test:owned --type dataset
  ${PROGRAM} test run --query 'platform:hive tags:pii'
`,
    )
    .action(async (options: RunOptions) => {
      setExitCode(await testRunCommand(options, terminal));
    });
}

function addResults(test: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(test.command('results'))
    .description('list the entities that pass or fail a test, or cannot be tested')
    .argument('<urn>', 'the urn of the test')
    .option('--passing', 'only those that pass')
    .option('--failing', 'only those that fail')
    .option('--errors', 'only those that cannot be tested')
    .option('--type <type>', 'only entities of this type')
    .option('--count <n>', 'list at most so many', integerFrom(1, MAX_COUNT), DEFAULT_COUNT)
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exit code 1 when an entity of the selected types fails, or cannot be tested.

Examples:
  ${PROGRAM} test results urn:li:test:owned --failing
  ${PROGRAM} test results urn:li:test:owned --csv --count 100000 > owned.csv
`,
    )
    .action(async (urn: string, options: ResultsOptions) => {
      setExitCode(await testResultsCommand(urn, options, terminal));
    });
}

function addExplain(test: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(test.command('explain'))
    .description('evaluate tests for one entity, and say which rules it breaks; writes nothing')
    .argument('<urn>', 'the urn of the entity')
    .option('--test <urn>', 'only this test; may be repeated', collected, [])
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Needs a token with the scope operate, such as the operator's ("${PROGRAM} token"). Exit code 1 when the entity fails a test, or cannot be tested.

Example:
  ${PROGRAM} test explain 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)'
`,
    )
    .action(async (urn: string, options: ExplainOptions) => {
      setExitCode(await testExplainCommand(urn, options, terminal));
    });
}
