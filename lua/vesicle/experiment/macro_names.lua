-- macro_names: which names a number can have as a LaTeX macro.
--
-- The commands of TeX and LaTeX begin with a small letter, all but those below: of the kernel, of the packages that the
-- report loads, of the report itself and of listings. A number of such a name would stop the typesetting at the latest
-- (\newcommand refuses it), and by then nobody knows which script it came from.

local macro_names = {}

local taken = {}
for word in ([[
  A AA AE AND Acrobatmenu Acute Alph AmS And Arrowvert B BOOKMARK Bar Bbb Bbbk BibTeX Big Bigg Biggl Biggm
  Biggr Bigl Bigm Bigr Bmatrix Box Breve Bumpeq Call Cap Centering Check CheckBox Citealp Citealt Citeauthor
  Citep Citet ClaimsTable CommandLine Comment CountZero Cpageref Cpagerefrange Cref Crefformat
  Crefmultiformat Crefname Crefrange Crefrangeformat Crefrangemultiformat Cube Cup CurrentFile CurrentOption
  DH DJ DOTSB DOTSI DOTSX Ddot Delta Diamond Doi Dot Doteq Downarrow E END ERROR ETC Else Ensure Excess
  Experiment Finv FirstMark For Form Fullref Function Game Gamma Gauge Grave H Hat Huge Hurl I IJ If
  IfFileExists Im InputIfFileExists Join L LARGE LaTeX Lambda Large LastMark Leftarrow Leftrightarrow
  LineBreak LineNumber ListItem Ll Lleftarrow LongText Longleftarrow Longleftrightarrow Longrightarrow Loop
  Lsh Lt Lu MF MP MakeLowercase MakeUppercase Measured NG NOT Nameref Needspace O OE OR Omega OpMode
  OutputFile P PU Parameter Pe Percent Pf Ph Phi Pi Pr Prob Procedure Psi Q Re Ref Relbar Repeat Require
  RequirePackage Reset ResultTable Return Rightarrow Roman Rough Rrightarrow Rsh S SS Sectionformat Shortfall
  Sigma State Statex Submit Subset Supset T TH TU Tally TeX TextField Theta Tilde Tool Uchar Uleft Until Url
  Uroot UseRawInputEncoding Vdash Vec Verb Verbatim Verdict Vert Vmatrix Vref Vrefrange Vvdash W While Xi Z
]]):gmatch "%a+" do taken[word] = true end

-- families of commands
local families = {
  "^Ves%u", "Tok$", "^Declare%u", "^Provides?%u", "^FancyVerb", "^FVExtra", "^At[BE]%a+", "^If%u%a+TF?$",
    "^BigIntCalc", "^IntCalc",
  "^GetTitleString", "^AtBeginShipout", "^Hy[OP]", "^PS%l", "^MP%l", "^CYR", "^Umath", "^Rerun",
}

--- Why a text cannot be the name of a number, as the end of a sentence; nil if it can.
function macro_names.objection(name)
  if type(name) ~= "string" or not name:find "^%a+$" then return "expected letters only (it becomes a LaTeX macro)" end
  local own = taken[name]
  for _, family in ipairs(families) do own = own or name:find(family) end
  if own then
    return string.format("it becomes a LaTeX macro, and LaTeX has one of that name; expected another, such as %sValue",
      name)
  end
  if not name:find "^%u" then
    return "it becomes a LaTeX macro, and LaTeX's own begin with small letters; expected a capital first, such as "
      .. name:sub(1, 1):upper() .. name:sub(2) .. "Value"
  end
  return nil
end

return macro_names
