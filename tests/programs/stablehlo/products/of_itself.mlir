// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 248.36606 4.78569445 61.9994691 160.753839 -1.75842982 148.186843 81.3097952 274.652519 449.678536 56.5415671 343.936604 -45.3100869 313.855994 22.5560996 116.326052 -32.5594969
// cost: 14 instructions, 902729 ticks
module {
  func.func public @main(%arg0: tensor<140x30xf32>) -> (tensor<140x140xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<140x30xf32>) -> tensor<30x140xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<140x30xf32>, tensor<30x140xf32>) -> tensor<140x140xf32>
    return %1 : tensor<140x140xf32>
  }
}
