const names: Readonly<Record<string, string>> = {
  'model.provider': 'Provider',
  'model.model': 'Model',
  'model.apiKey': 'API key',
  'model.baseUrl': 'Address of the model',
  'model.script': 'Script',
  'reasoning.effort': 'Reasoning',
  'reasoning.show': 'Show reasoning',
  'widget.form': 'Form before the first message',
  'widget.languages': 'Other languages',
  'widget.name': 'Name in the widget',
  'widget.position': 'Launcher',
  'widget.privacyUrl': 'Privacy page',
  maxSteps: 'Steps of a turn',
};

/** What a field of the settings is called on the screen: `widget.greeting` is the greeting. */
export function fieldName(field: string): string {
  const known = names[field];
  if (known !== undefined) return known;
  const [group, ...rest] = field.split('.');
  const path = group === 'widget' || group === 'model' ? rest : [group ?? '', ...rest];
  const words = path.join(', ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const shownNames = 4;

/** The fields in a line, and how many more there are. */
export function fieldNames(fields: readonly string[]): string {
  const shown = fields.slice(0, shownNames).map(fieldName).join(', ');
  return fields.length > shownNames ? `${shown} and ${fields.length - shownNames} more` : shown;
}
