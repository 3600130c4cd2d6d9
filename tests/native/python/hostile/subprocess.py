# 0/6 raised
import subprocess

def f(x):
    return subprocess.run(["/bin/echo", "3"], capture_output=True).returncode + x + 3
