import { Link } from '@tanstack/react-router';
import css from './browse.module.css';

/** The two ways to browse. */
export function BrowseNav() {
  return (
    <p className={css.ways}>
      <Link to="/browse/paths/$" params={{ _splat: '' }} activeOptions={{ includeSearch: false }}>
        Folders
      </Link>
      <Link to="/browse/platforms">Platforms</Link>
    </p>
  );
}
