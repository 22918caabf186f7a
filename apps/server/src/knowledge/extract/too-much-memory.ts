export const tooMuchMemory = 'It takes too much memory to be read.';
