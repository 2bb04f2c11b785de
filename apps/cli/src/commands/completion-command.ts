import { defineCommand } from '../command/command-definition.js';
import { WrongUse } from '../failures/wrong-use.js';

/** The shell calls the command with the words of the line; the last one is to be completed. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_pos() { mapfile -t COMPREPLY < <(pos --complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null); }
complete -o default -F _pos pos`,
  zsh: `_pos() { compadd -- \${(f)"$(pos --complete "\${(@)words[2,CURRENT]}" 2> /dev/null)"}; }
compdef _pos pos`,
};

/** `pos completion`. */
export const completionCommand = defineCommand({
  path: 'completion',
  examples: ['completion bash >> ~/.bashrc'],
  flags: {},
  operands: { placeholder: 'shell', brief: 'bash or zsh.', min: 1, max: 1, choices: ['bash', 'zsh'] },
  run: async (run, { operands: [shell = ''] }) => {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new WrongUse(`${shell}: must be bash or zsh`);
    run.report({ shell, script }, script);
    return Promise.resolve(undefined);
  },
});
