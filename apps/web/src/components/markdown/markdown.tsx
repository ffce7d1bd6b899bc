import { Suspense, lazy, useState } from 'react';
import { Button } from '../button/button';
import css from './markdown.module.css';

const MarkdownView = lazy(() =>
  import('./markdown-view').then(({ MarkdownView: View }) => ({ default: View })),
);

/** A longer text opens on request: nobody reads a hundred thousand characters by accident. **Units**: UTF-16 units. */
const SHORT = 3_000;
/** From here on a text is shown as it is. */
const LONGEST = 40_000;

/** A description as people wrote it: Markdown without HTML, images and scripts. */
export function Markdown({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHORT;
  const shown = isLong && !isOpen ? `${text.slice(0, SHORT)}…` : text;
  const plain = <div className={css.plain}>{shown}</div>;
  return (
    <div className={css.markdown} dir="auto">
      {shown.length > LONGEST ? (
        plain
      ) : (
        <Suspense fallback={plain}>
          <MarkdownView text={shown} />
        </Suspense>
      )}
      {isLong && (
        <Button kind="quiet" size="small" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </div>
  );
}
