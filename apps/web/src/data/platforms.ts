import { nameFromUrn } from './urns';

const COLOURS = ['blue', 'rust', 'green', 'plum', 'olive', 'slate', 'indigo', 'wine'] as const;
export type Colour = (typeof COLOURS)[number];

interface Look {
  readonly letters: string;
  readonly colour: Colour;
  readonly name: string;
}

const KNOWN: Readonly<Record<string, Look>> = {
  airflow: { letters: 'Af', colour: 'wine', name: 'Airflow' },
  dbt: { letters: 'db', colour: 'rust', name: 'dbt' },
  feast: { letters: 'Fe', colour: 'green', name: 'Feast' },
  kafka: { letters: 'Ka', colour: 'slate', name: 'Kafka' },
  looker: { letters: 'Lk', colour: 'plum', name: 'Looker' },
  mlflow: { letters: 'Ml', colour: 'olive', name: 'MLflow' },
  postgres: { letters: 'Pg', colour: 'blue', name: 'PostgreSQL' },
  s3: { letters: 'S3', colour: 'green', name: 'Amazon S3' },
  snowflake: { letters: 'Sf', colour: 'indigo', name: 'Snowflake' },
};

/** Two letters tell platforms apart; the colour only helps. */
export function platformLook(urn: string): Look {
  const id = nameFromUrn(urn);
  const known = KNOWN[id.toLowerCase()];
  if (known !== undefined) return known;
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  return { letters: twoLetters(name), colour: colourFor(id), name };
}

export function colourFor(text: string): Colour {
  let hash = 0;
  for (let at = 0; at < text.length && at < 100; at += 1) hash = (hash * 31 + text.charCodeAt(at)) % 65_521;
  return COLOURS[hash % COLOURS.length] ?? 'slate';
}

/** The first letters of two words, else of one. */
export function twoLetters(name: string): string {
  const [first = '', second] = name.split(/[\s._-]+/).filter((word) => word !== '');
  const letters = Array.from(first);
  return (
    (letters[0] ?? '?') + (second === undefined ? (letters[1] ?? '') : (Array.from(second)[0] ?? ''))
  ).slice(0, 4);
}
