import type { CatalogEntity, Standing, Traits } from '../catalog/catalog-entity';
import { toWords } from '../catalog/spell-name';
import type { JudgedQuery } from './read-queries';

/** 3: exactly this. 2: good. 1: acceptable. 0: not asked for. */
export type Grade = 0 | 1 | 2 | 3;

/** An entity as a judge sees it. */
export type JudgedEntity = Pick<CatalogEntity, 'urn' | 'entityType' | 'traits'>;

/** Grade of an entity that is about the very words of the query. */
const SAME_WORDS: Readonly<Record<Standing, Grade>> = {
  original: 3,
  environment: 2,
  report: 2,
  part: 1,
  copy: 1,
  deprecated: 1,
};
/** Grade of an entity with the column, tag or owner of the query. */
const SAME_MEMBER: Readonly<Record<Standing, Grade>> = {
  original: 3,
  environment: 2,
  report: 2,
  part: 2,
  copy: 2,
  deprecated: 1,
};

/** Lists the grade of every entity that a query asks for, by urn. */
export function judge(query: JudgedQuery, entities: Iterable<JudgedEntity>): ReadonlyMap<string, Grade> {
  const gradeOf = toRule(query);
  const grades = new Map<string, Grade>();
  for (const { urn, entityType, traits } of entities) {
    if (query.in !== 'all' && query.in !== entityType) continue;
    const grade = gradeOf(traits, entityType);
    if (grade > 0) grades.set(urn, grade);
  }
  return grades;
}

type Rule = (traits: Traits, entityType: string) => Grade;

function toRule(query: JudgedQuery): Rule {
  const { name, path, column, answers } = query;
  if (name !== undefined) return (traits) => gradeName(traits.name === name, traits.standing);
  if (path !== undefined) return (traits) => gradeName(traits.path === path, traits.standing);
  if (column !== undefined)
    return ({ columns, standing }) => (columns.includes(column) ? SAME_MEMBER[standing] : 0);
  if (answers !== undefined) return toConceptRule(answers);
  return toLabelRule(query);
}

/** The same name in another environment is good, but not the one that is meant. */
function gradeName(isNamed: boolean, standing: Standing): Grade {
  if (!isNamed) return 0;
  return standing === 'environment' ? 2 : 3;
}

/** Only the originals carry the description of their concept. */
function toConceptRule(answers: NonNullable<JudgedQuery['answers']>): Rule {
  const grades = new Map(Object.entries(answers).map(([words, grade]) => [toWords(words).join(' '), grade]));
  return ({ words, standing }, entityType) =>
    standing === 'original' && entityType === 'dataset' ? (grades.get(words.join(' ')) ?? 0) : 0;
}

/**
 * Judges by the words of the entity, by a label that it carries, or by both. A tag or term that is the label itself is
 * exactly what was asked for; what carries it is, too, when nothing else was.
 */
function toLabelRule({ words: asked, tag, term, owner, in: type }: JudgedQuery): Rule {
  const words = asked === undefined ? undefined : toWords(asked);
  const label = tag ?? term ?? owner;
  if (label === undefined) return (traits) => gradeWords(words, traits);
  const carries = ({ tags, terms, owner: own }: Traits): boolean =>
    (tag !== undefined && tags.includes(tag)) ||
    (term !== undefined && terms.includes(term)) ||
    (owner !== undefined && own === owner);
  return (traits, entityType) => {
    if (words !== undefined) return carries(traits) ? gradeWords(words, traits, 2) : 0;
    const isLabel = entityType === 'tag' || entityType === 'glossaryTerm';
    if (isLabel) return traits.name === label ? 3 : 0;
    if (!carries(traits)) return 0;
    return type === 'all' ? 2 : SAME_MEMBER[traits.standing];
  };
}

/** `wider`: the grade of an original that is about further words too. */
function gradeWords(asked: readonly string[] = [], { words, standing }: Traits, wider: Grade = 1): Grade {
  if (!asked.every((word) => words.includes(word))) return 0;
  if (asked.length === words.length) return SAME_WORDS[standing];
  return standing === 'original' ? wider : 0;
}
