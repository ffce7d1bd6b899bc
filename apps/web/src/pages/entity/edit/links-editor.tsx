import type { JsonObject, JsonValue } from '@stratalog/json';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { isObject } from '../../../data/entity-card';
import { useEntityView } from '../entity-context';
import { Field } from './edit-form';
import { ListEditor, type ListShape } from './list-editor';
import { useRights } from './use-rights';

const SHAPE: ListShape = {
  aspectName: 'institutionalMemory',
  path: ['elements'],
  stepsOf: (element) => (isObject(element) && typeof element.url === 'string' ? [element.url] : undefined),
  keys: ['url'],
};

/** Adds and removes links to pages elsewhere. */
export function LinksEditor({ onClose }: { readonly onClose: () => void }) {
  const { actor = 'urn:li:corpuser:unknown' } = useRights(useEntityView());
  const [url, setUrl] = useState('');
  const [text, setText] = useState('');
  const link: JsonObject | undefined = /^https?:\/\/\S+$/i.test(url.trim())
    ? {
        url: url.trim(),
        description: text.trim() === '' ? url.trim() : text.trim(),
        createStamp: { time: Date.now(), actor },
      }
    : undefined;
  return (
    <ListEditor
      shape={SHAPE}
      label="Edit the links"
      nameOf={nameOf}
      pending={link}
      onClose={onClose}
      adding={(put) => (
        <>
          <Field label="Address">
            <input
              type="url"
              pattern="https?://.+"
              maxLength={2_000}
              placeholder="https://"
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            />
          </Field>
          <Field label="What it leads to">
            <input maxLength={500} value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          <Button
            icon="plus"
            disabled={link === undefined}
            onClick={() => {
              if (link !== undefined) put(link);
              setUrl('');
              setText('');
            }}
          >
            Add the link
          </Button>
        </>
      )}
    />
  );
}

function nameOf(element: JsonValue): string {
  const { url, description } = isObject(element) ? element : {};
  if (typeof description === 'string' && description !== '') return description;
  return typeof url === 'string' ? url : '';
}
