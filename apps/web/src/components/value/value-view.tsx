import type { JsonObject, JsonValue } from '@stratalog/json';
import { isObject, list } from '../../data/entity-card';
import { toMs } from '../../data/times';
import { isUrn } from '../../data/urns';
import { enumInWords, toWords } from '../../data/words';
import { EntityChip, EntityChips } from '../entity/entity-link';
import { JsonTree } from '../json-tree/json-tree';
import { Markdown } from '../markdown/markdown';
import { RelativeTime } from '../text/relative-time';
import css from './value-view.module.css';

const MOST_ROWS = 50;
const MOST_COLUMNS = 6;
const TEXTS = /^(?:description|definition|documentation|note|about|aboutMe)$/i;
const TIMES = /(?:^time$|Time$|At$|On$|Date$|Millis$|^timestamp|^lastModified$|^created$)/;
/** Names of fields whose values are words of a list. */
const WORDS = /(?:type|state|status|kind|mode|level|priority|scope|cardinality|criticality)$/i;
/** From 1990: smaller numbers are counts. **Units**: epoch milliseconds. */
const EARLIEST_MS = 631_152_000_000;

interface ValueViewProps {
  readonly name: string;
  readonly value: JsonValue;
  readonly depth?: number;
}

/** A value as its kind asks for: an entity, a time, a word, a text, a list, a table; anything else as a tree. */
export function ValueView({ name, value, depth = 0 }: ValueViewProps) {
  if (value === null) return <span className={css.none}>none</span>;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (typeof value === 'number' || typeof value === 'bigint') return <NumberView name={name} value={value} />;
  if (typeof value === 'string') return <TextView name={name} text={value} />;
  if (Array.isArray(value)) return <ListView name={name} values={list(value)} depth={depth} />;
  if (!isObject(value)) return null;
  if (depth >= 2) return <JsonTree value={value} depth={1} />;
  return <FieldsView value={value} depth={depth + 1} />;
}

function NumberView({ name, value }: { readonly name: string; readonly value: number | bigint }) {
  const ms = toMs(value);
  if (TIMES.test(name) && ms === 0) return <span className={css.none}>not known</span>;
  if (TIMES.test(name) && ms !== undefined && ms > EARLIEST_MS) return <RelativeTime ms={ms} />;
  return <>{value.toLocaleString('en')}</>;
}

function TextView({ name, text }: { readonly name: string; readonly text: string }) {
  if (isUrn(text)) return <EntityChip urn={text} />;
  if (TEXTS.test(name)) return <Markdown text={text} />;
  if (/^https?:\/\/\S+$/i.test(text) && text.length < 2_000) {
    return (
      <a href={text} target="_blank" rel="noreferrer noopener" className={css.text}>
        {text}
      </a>
    );
  }
  if (WORDS.test(name) && /^[A-Z][A-Z\d_]+$/.test(text)) return <>{enumInWords(text)}</>;
  return text.length > 300 || text.includes('\n') ? (
    <LongText text={text} />
  ) : (
    <bdi className={css.text}>{text}</bdi>
  );
}

function LongText({ text }: { readonly text: string }) {
  return (
    <pre className={css.long} tabIndex={0}>
      <bdi>{text.slice(0, 10_000)}</bdi>
      {text.length > 10_000 && '…'}
    </pre>
  );
}

interface ListViewProps {
  readonly name: string;
  readonly values: readonly JsonValue[];
  readonly depth: number;
}

function ListView({ name, values, depth }: ListViewProps) {
  if (values.length === 0) return <span className={css.none}>none</span>;
  if (values.every(isUrn)) return <EntityChips urns={values} most={20} />;
  const records = values.filter(isObject);
  if (records.length === values.length)
    return depth > 1 ? <JsonTree value={[...values]} depth={1} /> : <RecordTable records={records} />;
  return (
    <ul className={css.list}>
      {values.slice(0, MOST_ROWS).map((each, at) => (
        <li key={at}>
          <ValueView name={name} value={each} depth={depth + 1} />
        </li>
      ))}
      <More all={values.length} />
    </ul>
  );
}

/** A list of records as a table; members that none of them has get no column. */
function RecordTable({ records }: { readonly records: readonly JsonObject[] }) {
  const shown = records.slice(0, MOST_ROWS);
  const names = [...new Set(shown.flatMap((each) => Object.keys(each)))].slice(0, MOST_COLUMNS);
  return (
    <div className={css.scroll} tabIndex={0} role="group" aria-label="Table of values">
      <table className={css.table}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {toWords(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((record, at) => (
            <tr key={at}>
              {names.map((name) => (
                <td key={name}>
                  {record[name] === undefined ? null : (
                    <ValueView name={name} value={record[name]} depth={2} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More all={records.length} />
    </div>
  );
}

function More({ all }: { readonly all: number }) {
  return all > MOST_ROWS ? (
    <p className={css.none}>{(all - MOST_ROWS).toLocaleString('en')} more; the tab JSON has all</p>
  ) : null;
}

interface FieldsViewProps {
  readonly value: JsonObject;
  readonly depth?: number;
  /** What the model says about each field. */
  readonly docs?: Readonly<Record<string, string>>;
}

/** The members of a record, each with its name in words. */
export function FieldsView({ value, depth = 0, docs = {} }: FieldsViewProps) {
  return (
    <dl className={css.fields}>
      {Object.entries(value)
        .slice(0, 200)
        .map(([name, each]) => (
          <div key={name}>
            <dt title={docs[name]}>
              <bdi>{toWords(name).slice(0, 200)}</bdi>
            </dt>
            <dd>
              <ValueView name={name} value={each} depth={depth} />
            </dd>
          </div>
        ))}
    </dl>
  );
}
