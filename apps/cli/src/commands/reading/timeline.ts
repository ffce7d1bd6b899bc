import type { AnswerOf } from '@stratalog/client';
import type { JsonValue } from '@stratalog/json';
import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
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

type Change = AnswerOf<'GET /entitiesV2/:urn/timeline'>['changes'][number];

async function timelineCommand(urn: string, options: TimelineOptions, terminal: Terminal): Promise<ExitCode> {
  const { aspect: aspects, count, from, to } = options;
  const { answer } = await withCatalog(options, { terminal }, (client) =>
    client.call('GET /entitiesV2/:urn/timeline', {
      urn,
      count,
      startTime: from,
      endTime: to,
      aspects: aspects.length === 0 ? undefined : [...aspects],
    }),
  );
  const { changes } = answer;
  terminal.stdout.write(options.json === true ? `${prettyJson(answer)}\n` : changes.map(changeText).join(''));
  if (changes.length > 0) return EXIT.ok;
  terminal.stderr.write(`nothing was changed of ${printable(urn)}\n`);
  return EXIT.rejected;
}

function changeText({ time, actor, aspectName, version, kind, differences, isCut }: Change): string {
  const head = `${formatTime(time)}  ${aspectName} version ${String(version)} ${kind.toLowerCase()} by ${actor}`;
  const lines = differences.map(differenceText);
  if (isCut === true) lines.push('  …');
  return [head, ...lines].map((line) => `${printable(line)}\n`).join('');
}

function differenceText({ path, kind, oldValue, newValue }: Change['differences'][number]): string {
  const place = path === '' ? 'everything' : path;
  const values = [oldValue, newValue].filter((value) => value !== undefined).map(shortValue);
  return `  ${SIGNS[kind] ?? ' '} ${place} ${values.join(' -> ')}`;
}

function shortValue(value: JsonValue): string {
  const text = prettyJson(value).replace(/\s+/g, ' ');
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS - 1)}…`;
}
