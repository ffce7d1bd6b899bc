import './styles/tokens.css';
import './styles/global.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router';
import { showPreferences } from './data/preferences';
import { queryClient } from './data/use-call';

showPreferences();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for its content');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
