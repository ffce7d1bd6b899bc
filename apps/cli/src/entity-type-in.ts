import { CommandFailure, EXIT } from './exit-code';

/** Reads the entity type from a urn. **Errors**: {@link CommandFailure} when the text is no urn. */
export function entityTypeIn(urn: string): string {
  const type = /^urn:[^:]+:([^:]+):./.exec(urn)?.[1];
  if (type !== undefined) return type;
  throw new CommandFailure(`"${urn}" is no urn: one looks like urn:li:tag:gold`, EXIT.usage);
}
