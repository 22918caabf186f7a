/** @jsxImportSource react */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ParleyChat } from '@parley/widget/react';
import { key, service } from './page.ts';

function App() {
  const [shown, setShown] = useState(true);
  const [language, setLanguage] = useState('');
  const [last, setLast] = useState('');
  return (
    <main className="wrap scene">
      <h1>A React page</h1>
      <p className="row">
        <button className="button" type="button" onClick={() => setShown(!shown)}>
          {shown ? 'Take the chat away' : 'Bring the chat back'}
        </button>
        <label>
          Language{' '}
          <select value={language} onChange={(event) => setLanguage(event.target.value)}>
            <option value="">The page’s</option>
            <option value="fr">Français</option>
            <option value="ar">العربية</option>
          </select>
        </label>
      </p>
      {shown && (
        <section className="place">
          <ParleyChat
            service={service}
            publishableKey={key}
            name="Fern"
            locale={language || undefined}
            onMessage={({ detail }) => setLast(`${detail.role}: ${detail.text}`)}
          />
        </section>
      )}
      <p id="last">{last}</p>
    </main>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
