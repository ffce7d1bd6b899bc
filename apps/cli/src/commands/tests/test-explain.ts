import { stringifyJson, type JsonObject } from '@stratalog/model';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode } from '../../exit-code';
import { objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import type { Terminal } from '../../terminal';

export interface ExplainOptions extends ConnectionOptions {
  readonly test: readonly string[];
  readonly json?: true;
}

/** Outcomes with which the command fails. */
const FAILED = ['failing', 'error', 'unknown'];

export function testExplainCommand(
  urn: string,
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const tests = options.test.length === 0 ? {} : { tests: [...options.test] };
    const answer = accepted(
      await client.action('test', 'evaluate', { urn, explain: true, ...tests }),
      client.address,
    );
    const value = objectOf(objectIn(answer, client.address).value);
    const details = toList(value.details).map(objectOf);
    terminal.stdout.write(
      options.json === true ? `${prettyJson(value)}\n` : details.map(formatDetail).join(''),
    );
    const hasFailed = details.some(({ outcome }) => FAILED.includes(toText(outcome)));
    return hasFailed ? EXIT.rejected : EXIT.ok;
  });
}

/** One line for the test, and one for each rule that it breaks. */
function formatDetail({ test, name, outcome, reason, failures }: JsonObject): string {
  const lines = [
    `${toText(outcome)}  ${toText(test)}  ${toText(name)}`.trimEnd(),
    ...(reason === undefined ? [] : [`    ${toText(reason)}`]),
    ...toList(failures).map(objectOf).map(formatFailure),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function formatFailure({ rule, property, operator, negated, expected, found }: JsonObject): string {
  const [wanted, values] = [toList(expected), toList(found)].map((list) =>
    list.map((each) => stringifyJson(each)),
  );
  const rightSide = wanted?.join(', ') ?? '';
  const comparison = [negated === true ? 'not' : '', toText(property), toText(operator), rightSide]
    .filter((part) => part !== '')
    .join(' ');
  const shown = values === undefined || values.length === 0 ? 'nothing' : values.join(', ');
  return `    ${toText(rule)}: ${comparison}; found ${shown}`;
}
