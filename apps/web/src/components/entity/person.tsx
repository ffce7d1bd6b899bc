import { colourFor, twoLetters } from '../../data/platforms';
import css from './entity.module.css';

interface PersonProps {
  readonly name: string;
  /** Groups and machines are square. */
  readonly isGroup: boolean;
}

export function Person({ name, isGroup }: PersonProps) {
  const shape = isGroup ? css.group : css.round;
  return (
    <span className={`${css.person ?? ''} ${shape ?? ''} ${css[colourFor(name)] ?? ''}`} aria-hidden="true">
      {isGroup ? twoLetters(name) : twoLetters(name).toUpperCase()}
    </span>
  );
}
