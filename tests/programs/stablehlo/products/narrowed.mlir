// tolerance: 1e-05
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums -35.0881865 -119.811626 51.720679 89.1300898 -36.5527003 33.4989741 23.5944183 28.7572186 27.5822096 73.1749694 -19.2456017 39.3905203 19.9073613 23.2957714 -29.0935352 -65.9117992
// cost: 8 instructions, 738291 ticks
module {
  func.func public @main(%arg0: tensor<40x130xbf16>, %arg1: tensor<130x50xbf16>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<40x130xbf16>) -> tensor<40x130xf32>
    %1 = stablehlo.convert %arg1 : (tensor<130x50xbf16>) -> tensor<130x50xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x130xf32>, tensor<130x50xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
}
