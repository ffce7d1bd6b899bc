import type { JsonObject } from '@stratalog/json';
import { surveyModel, type ModelSurvey } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import type { Terminal } from '../../terminal';
import { textTable } from '../../output/text-table';

/**
 * Reports which definitions of a foreign tree load, which are ignored, and which are left out for what
 * reason.
 */
export async function modelLoadCommand(
  folder: string,
  { isJson }: { readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const start = performance.now();
  const survey = await surveyModel(folder);
  const tookMs = Math.round(performance.now() - start);
  const { faults, registry } = survey;
  const notes: Notes = { faults, warnings: registry?.warnings ?? [], idle: registry?.notes ?? [] };
  const counts = countRun(survey);
  if (isJson) {
    terminal.stdout.write(`${prettyJson(toJson(survey, { counts, notes, tookMs }))}\n`);
  } else {
    const file = ['registry file', survey.registryFile ?? 'none'];
    const rows = counts.map(({ title, count }) => [title, String(count)]);
    terminal.stdout.write(textTable([...rows.toSpliced(1, 0, file), ['time', `${tookMs} ms`]]));
    writeList('not understood, and left out', notes.faults, terminal);
    writeList('not known, and ignored', notes.warnings, terminal);
    writeList('understood, but without effect here', notes.idle, terminal);
  }
  return faults.length === 0 && registry !== undefined ? EXIT.ok : EXIT.rejected;
}

interface Notes {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly idle: readonly string[];
}

interface Count {
  /** Read by scripts and by people. */
  readonly name: string;
  readonly title: string;
  readonly count: number;
}

function toJson(
  { registryFile }: ModelSurvey,
  {
    counts,
    notes,
    tookMs,
  }: { readonly counts: readonly Count[]; readonly notes: Notes; readonly tookMs: number },
): JsonObject {
  return {
    ...Object.fromEntries(counts.map(({ name, count }) => [name, count])),
    registryFile: registryFile ?? null,
    tookMs,
    notUnderstood: [...notes.faults],
    notKnown: [...notes.warnings],
    withoutEffect: [...notes.idle],
  };
}

function countRun({ pdlFiles, events, plugins, registry }: ModelSurvey): readonly Count[] {
  const { entityTypes = [], aspects = [], types = [] } = registry ?? {};
  const relationships = aspects.reduce((sum, aspect) => sum + aspect.relationships.length, 0);
  const searchFields = aspects.reduce((sum, aspect) => sum + aspect.searchFields.length, 0);
  return [
    { name: 'pdlFiles', title: 'PDL files', count: pdlFiles },
    { name: 'entities', title: 'entities', count: entityTypes.length },
    { name: 'aspects', title: 'aspects', count: aspects.length },
    { name: 'types', title: 'types', count: types.length },
    { name: 'searchFields', title: 'search fields', count: searchFields },
    { name: 'relationships', title: 'relationships', count: relationships },
    { name: 'events', title: 'events, passed over', count: events },
    { name: 'plugins', title: 'plug-in classes, passed over', count: plugins },
  ];
}

function writeList(title: string, lines: readonly string[], terminal: Terminal): void {
  if (lines.length === 0) return;
  terminal.stdout.write(`\n${title}: ${String(lines.length)}\n`);
  for (const line of lines) terminal.stdout.write(`  ${printable(line)}\n`);
}
