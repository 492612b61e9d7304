// What can be asked. `steps` are semitones above the lowest tone.
const KINDS = {
  intervals: {
    name: "Intervals", one: "interval", ways: ["up", "down", "together"],
    items: [
      ["m2", "Minor second", [0, 1]], ["M2", "Major second", [0, 2]], ["m3", "Minor third", [0, 3]], ["M3", "Major third", [0, 4]],
      ["P4", "Fourth", [0, 5]], ["TT", "Tritone", [0, 6]], ["P5", "Fifth", [0, 7]], ["m6", "Minor sixth", [0, 8]],
      ["M6", "Major sixth", [0, 9]], ["m7", "Minor seventh", [0, 10]], ["M7", "Major seventh", [0, 11]], ["P8", "Octave", [0, 12]],
    ],
    levels: ["M3 P5 P8", "M2 M3 P4 P5 P8", "M2 m3 M3 P4 P5 M6 P8", "m2 M2 m3 M3 P4 TT P5 m6 M6 m7 M7 P8"],
  },
  chords: {
    name: "Chords", one: "chord", ways: ["together", "up", "down"],
    items: [
      ["maj", "Major", [0, 4, 7]], ["min", "Minor", [0, 3, 7]], ["dim", "Diminished", [0, 3, 6]], ["aug", "Augmented", [0, 4, 8]],
      ["sus2", "Sus 2", [0, 2, 7]], ["sus4", "Sus 4", [0, 5, 7]],
      ["maj7", "Major seventh", [0, 4, 7, 11]], ["7", "Dominant seventh", [0, 4, 7, 10]], ["m7", "Minor seventh", [0, 3, 7, 10]], ["m7b5", "Half-diminished", [0, 3, 6, 10]],
    ],
    levels: ["maj min", "maj min dim aug", "maj min dim aug sus2 sus4", "maj min dim aug maj7 7 m7 m7b5"],
  },
};
const NOTES = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
const noteName = (midi) => NOTES[midi % 12] + (Math.floor(midi / 12) - 1);
