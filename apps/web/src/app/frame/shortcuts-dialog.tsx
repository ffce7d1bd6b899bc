import { Button } from '../../components/button/button';
import { Dialog } from '../../components/overlay/dialog';
import { prefer, preferences } from '../../data/preferences';
import { useStore } from '../../data/store';
import css from './frame.module.css';

const SHORTCUTS: readonly (readonly [keys: string, deed: string])[] = [
  ['/', 'Go to the search box'],
  ['Ctrl K', 'Search and commands in a dialog'],
  ['Ctrl ↵', 'Save what you edit; Esc cancels'],
  ['g h', 'Go home'],
  ['g t', 'Go to the tasks'],
  ['[', 'Collapse or expand the navigation'],
  ['?', 'Show this list'],
  ['↑ ↓ ↵', 'Move among results and open one'],
  ['l', 'Open the lineage of the focused result'],
  ['p', 'Pause or resume the selected task'],
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { hasKeys } = useStore(preferences);
  return (
    <Dialog label="Keyboard shortcuts" onClose={onClose}>
      <div className={css.shortcuts}>
        <h2>Keyboard shortcuts</h2>
        <dl>
          {SHORTCUTS.map(([keys, deed]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{deed}</dd>
            </div>
          ))}
        </dl>
        <label className={css.choice}>
          <input
            type="checkbox"
            checked={hasKeys}
            onChange={({ target }) => prefer({ hasKeys: target.checked })}
          />
          Single keys act outside of text fields
        </label>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
