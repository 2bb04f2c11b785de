import '@pos/web-ui/styles/theme.css';
import './motion.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseLanguage, LanguageProvider } from '@pos/web-ui/messages';
import { SandboxPage } from './sandbox-page.js';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <LanguageProvider language={chooseLanguage(navigator.languages)}>
      <SandboxPage pathname={location.pathname} search={location.search} />
    </LanguageProvider>
  </StrictMode>,
);
