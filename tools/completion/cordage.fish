# Completion of cordage for fish: `cordage complete` knows the candidates.

function __cordage_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case @folders
                __fish_complete_directories (commandline -ct)
            case '@files*'
                __fish_complete_path (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c cordage -f -a '(__cordage_complete)'
