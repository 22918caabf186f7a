import { render } from 'preact';
import { App } from './app.tsx';
import { keepFocus } from './ui/keep-focus.ts';
import './console.css';

keepFocus();
render(<App />, document.body);
