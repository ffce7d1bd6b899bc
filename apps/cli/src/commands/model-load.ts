import { surveyModel, type ModelSurvey } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../exit-code';
import { printable } from '../output/printable';
import type { Terminal } from '../terminal';
import { textTable } from '../output/text-table';

/** Prints what of a foreign tree is understood, what is passed over, and what is left out and why. */
export async function modelLoadCommand(folder: string, terminal: Terminal): Promise<ExitCode> {
  const start = performance.now();
  const survey = await surveyModel(folder);
  const tookMs = performance.now() - start;
  terminal.stdout.write(textTable([...rowsOf(survey), ['time', `${tookMs.toFixed(0)} ms`]]));
  const { faults, registry } = survey;
  writeList('not understood, and left out', faults, terminal);
  writeList('not known, and ignored', registry?.warnings ?? [], terminal);
  writeList('understood, but without effect here', registry?.notes ?? [], terminal);
  return faults.length === 0 && registry !== undefined ? EXIT.ok : EXIT.refused;
}

function rowsOf({ pdlFiles, registryFile, events, plugins, registry }: ModelSurvey): string[][] {
  const { entityTypes = [], aspects = [], types = [] } = registry ?? {};
  const relationships = aspects.reduce((sum, aspect) => sum + aspect.relationships.length, 0);
  const searchFields = aspects.reduce((sum, aspect) => sum + aspect.searchFields.length, 0);
  return [
    ['PDL files', String(pdlFiles)],
    ['registry file', registryFile ?? 'none'],
    ['entities', String(entityTypes.length)],
    ['aspects', String(aspects.length)],
    ['types', String(types.length)],
    ['search fields', String(searchFields)],
    ['relationships', String(relationships)],
    ['events, passed over', String(events)],
    ['plug-in classes, passed over', String(plugins)],
  ];
}

function writeList(title: string, lines: readonly string[], terminal: Terminal): void {
  if (lines.length === 0) return;
  terminal.stdout.write(`\n${title}: ${String(lines.length)}\n`);
  for (const line of lines) terminal.stdout.write(`  ${printable(line)}\n`);
}
