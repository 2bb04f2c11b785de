import { CSPProvider } from '@base-ui/react/csp-provider';
import { chooseLanguage, LanguageProvider } from '@pos/web-ui/messages';
import '@pos/web-ui/styles/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './client/queries.js';
import { USER_ACTIVITY } from './client/user-activity.js';
import { createPortalRouter } from './router.js';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');

USER_ACTIVITY.observe(window);
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <LanguageProvider language={chooseLanguage(navigator.languages)}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={createPortalRouter()} />
        </QueryClientProvider>
      </LanguageProvider>
    </CSPProvider>
  </StrictMode>,
);
