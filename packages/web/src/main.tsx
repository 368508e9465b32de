import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, composeApp } from './app/index.ts';
import './ui/app.css';
import { followTheme } from './ui/index.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
followTheme();
createRoot(root).render(
  <StrictMode>
    <App {...composeApp()} />
  </StrictMode>,
);
