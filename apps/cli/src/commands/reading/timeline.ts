import type { JsonObject, JsonValue } from '@stratalog/model';
import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { toList, numberOf, objectOf, toText } from '../../output/json-parts';
import { formatTime, parseTime } from '../../output/time';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface TimelineOptions extends ConnectionOptions {
  readonly aspect: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly count: number;
  readonly json?: true;
}

/** A longer value would hide the other changes. */
const MAX_VALUE_CHARACTERS = 60;
const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' };

/** Adds `timeline`. */
export function addTimelineCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('timeline'))
    .description('show what was changed of an entity, by whom and when, the newest first')
    .argument('<urn>', 'the entity')
    .option('--aspect <name>', 'only this aspect; may be repeated', collected, [])
    .option('--from <time>', 'only changes from then on', parseTime)
    .option('--to <time>', 'only changes up to then', parseTime)
    .option('--count <n>', 'changes at most', integerFrom(1, 100), 20)
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} timeline urn:li:tag:gold
  ${PROGRAM} timeline urn:li:tag:gold --aspect ownership --from 2026-11-01 --to 2026-11-08T12:00:00Z
`,
    )
    .action(async (urn: string, options: TimelineOptions) => {
      setExitCode(await timelineCommand(urn, options, terminal));
    });
}

async function timelineCommand(urn: string, options: TimelineOptions, terminal: Terminal): Promise<ExitCode> {
  const { aspect: aspects, count, from, to } = options;
  const body = await withCatalog(options, { terminal }, async (client) => {
    const answer = await client.timeline(urn, {
      aspects,
      count,
      ...(from === undefined ? {} : { startTime: from }),
      ...(to === undefined ? {} : { endTime: to }),
    });
    return objectIn(accepted(answer, client.address), client.address);
  });
  const changes = toList(body.changes);
  if (options.json === true) terminal.stdout.write(`${prettyJson(body)}\n`);
  else terminal.stdout.write(changes.map((change) => changeText(objectOf(change))).join(''));
  if (changes.length > 0) return EXIT.ok;
  terminal.stderr.write(`nothing was changed of ${printable(urn)}\n`);
  return EXIT.rejected;
}

function changeText({ time, actor, aspectName, version, kind, differences, isCut }: JsonObject): string {
  const head = `${formatTime(time)}  ${toText(aspectName)} version ${String(numberOf(version))} ${toText(kind).toLowerCase()} by ${toText(actor)}`;
  const lines = toList(differences).map((each) => differenceText(objectOf(each)));
  if (isCut === true) lines.push('  …');
  return [head, ...lines].map((line) => `${printable(line)}\n`).join('');
}

function differenceText({ path, kind, oldValue, newValue }: JsonObject): string {
  const place = toText(path) === '' ? 'everything' : toText(path);
  const values = [oldValue, newValue].filter((value) => value !== undefined).map(shortValue);
  return `  ${SIGNS[toText(kind)] ?? ' '} ${place} ${values.join(' -> ')}`;
}

function shortValue(value: JsonValue): string {
  const text = prettyJson(value).replace(/\s+/g, ' ');
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS - 1)}…`;
}
