import { stringifyJson } from '@stratalog/json';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { JsonTree } from '../../../components/json-tree/json-tree';
import { EmptyState } from '../../../components/states/states';
import { useEntityView } from '../entity-context';
import css from './json-tab.module.css';

/** Every aspect as the catalog answers it. */
export function JsonTab() {
  const { entity, card } = useEntityView();
  const [filter, setFilter] = useState('');
  const [isCopied, setCopied] = useState(false);
  const text = (): string => stringifyJson(entity);
  const wanted = filter.trim().toLowerCase();
  const shown = Object.values(entity.aspects).filter(
    (each) => wanted === '' || `${each.name} ${stringifyJson(each.value)}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={css.json}>
      <div className={css.bar}>
        <input
          className={css.filter}
          aria-label="Search in the aspects"
          placeholder="Search in the aspects"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <Button
          icon="copy"
          onClick={() => void navigator.clipboard.writeText(text()).then(() => setCopied(true))}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button icon="download" onClick={() => download(`${card.name.slice(0, 100)}.json`, text())}>
          Download
        </Button>
      </div>
      {shown.length === 0 && <EmptyState title="No aspect has this" />}
      {shown.map((each) => (
        <section key={each.name} className={css.aspect}>
          <h2>
            {each.name}{' '}
            <span className={css.version}>
              version {each.systemMetadata?.version ?? String(each.version)}
            </span>
          </h2>
          <JsonTree value={each.value} />
        </section>
      ))}
    </div>
  );
}

/** Has the browser save a text as a file. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: name.replace(/[^\w.-]+/g, '_'),
  });
  link.click();
  URL.revokeObjectURL(url);
}
