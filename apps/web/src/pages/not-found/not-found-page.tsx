import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';

export function NotFoundPage() {
  return (
    <EmptyState title="There is nothing at this address">
      <PageTitle title="Not found" isHidden />
      <Link to="/">Go home</Link>
    </EmptyState>
  );
}
