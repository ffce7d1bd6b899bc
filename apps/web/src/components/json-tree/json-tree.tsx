import type { JsonValue } from '@stratalog/json';
import { isObject } from '../../data/entity-card';
import css from './json-tree.module.css';

const OPEN_DEPTH = 2;
const MOST_MEMBERS = 200;
const MOST_TEXT = 2_000;

interface JsonTreeProps {
  readonly name?: string;
  readonly value: JsonValue;
  readonly depth?: number;
}

/** Any value as a tree that folds. Large ones show their beginning. */
export function JsonTree({ name, value, depth = 0 }: JsonTreeProps) {
  const label = name === undefined ? null : <bdi className={css.name}>{name}: </bdi>;
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) {
    return (
      <div className={css.leaf}>
        {label}
        <bdi className={typeof value === 'string' ? css.text : css.plain}>{toText(value)}</bdi>
      </div>
    );
  }
  const members: readonly (readonly [string, JsonValue])[] = isList
    ? (value as readonly JsonValue[]).map((each, at) => [String(at), each])
    : Object.entries(value as Readonly<Record<string, JsonValue>>);
  return (
    <details className={css.branch} open={depth < OPEN_DEPTH && members.length <= MOST_MEMBERS}>
      <summary>
        {label}
        <span className={css.size}>
          {isList ? `[${String(members.length)}]` : `{${String(members.length)}}`}
        </span>
      </summary>
      <div className={css.members}>
        {members.slice(0, MOST_MEMBERS).map(([key, each]) => (
          <JsonTree key={key} name={key} value={each} depth={depth + 1} />
        ))}
        {members.length > MOST_MEMBERS && (
          <p className={css.size}>
            {(members.length - MOST_MEMBERS).toLocaleString('en')} more: download the whole value
          </p>
        )}
      </div>
    </details>
  );
}

function toText(value: string | number | bigint | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value);
}
