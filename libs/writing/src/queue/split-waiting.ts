import { urnsIn, type PartitionGroups, type WaitingProposal } from './partition-group';

/**
 * Divides the proposals of a commit into those that the handler gets at once and those that become rows. A proposal
 * becomes a row when no caller waits for it or when a row, or a proposal that becomes one, names one of its urns.
 *
 * Directly delivered proposals of a urn therefore precede those that become rows. Of partitions that take turns, the
 * one whose turn it is comes first.
 */
export function splitByWay(
  items: readonly WaitingProposal[],
  { hasHandler, groups }: { readonly hasHandler: boolean; readonly groups: PartitionGroups },
): { readonly direct: readonly WaitingProposal[]; readonly stored: readonly WaitingProposal[] } {
  const urnsOfStored = new Set<string>();
  const direct: WaitingProposal[] = [];
  const stored: WaitingProposal[] = [];
  for (const item of items) {
    const urns = urnsIn(item.proposal);
    const isAwaited = hasHandler && item.onApplied !== undefined;
    if (isAwaited && !urns.some((urn) => urnsOfStored.has(urn)) && groups.mayPass(item.partition, urns)) {
      direct.push(item);
    } else {
      for (const urn of urns) urnsOfStored.add(urn);
      stored.push(item);
    }
  }
  direct.sort((one, other) => groups.compareTurns(one.partition, other.partition));
  return { direct, stored };
}

/** Divides proposals into those behind one of `left` in the order of a urn and those that are free of them. */
export function splitBehind(
  items: readonly WaitingProposal[],
  left: readonly WaitingProposal[],
): { readonly behind: readonly WaitingProposal[]; readonly free: readonly WaitingProposal[] } {
  if (left.length === 0) return { behind: [], free: items };
  const urns = new Set(left.flatMap(({ proposal }) => urnsIn(proposal)));
  const behind: WaitingProposal[] = [];
  const free: WaitingProposal[] = [];
  for (const item of items) {
    const own = urnsIn(item.proposal);
    const isBehind = own.some((urn) => urns.has(urn));
    if (isBehind) for (const urn of own) urns.add(urn);
    (isBehind ? behind : free).push(item);
  }
  return { behind, free };
}
