// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 18.6405429 -34.1456215 31.0742594 -29.0680927 52.3484965 -13.477629 -63.6788448 7.04246232 29.7548346 -17.9695591 58.9628902 37.0087066 -52.7041034 37.7217152 38.1107443 108.24329
// out: sums 603.544842 491.054871 558.879083 613.8691 533.673358 667.772804 806.410549 370.95999 566.664521 723.442065 553.276299 1316.78155 643.341983 537.238756 774.152133 552.344124
// cost: 125 instructions, 43631630 ticks
module {
  func.func public @main(%arg0: tensor<256x140xf32>, %arg1: tensor<140x9xf32>, %arg2: tensor<256x9xf32>) -> (tensor<140x9x256xf32>, tensor<140x9x256xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<256x140xf32>) -> tensor<140x256xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<140x256xf32>) -> tensor<140x1x256xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<140x9xf32>) -> tensor<140x9x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<140x1x256xf32>) -> tensor<140x9x256xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<140x9x1xf32>) -> tensor<140x9x256xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<140x9x256xf32>
    %6 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<256x140xf32>) -> tensor<140x256xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2] : (tensor<140x256xf32>) -> tensor<140x1x256xf32>
    %8 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<256x9xf32>) -> tensor<9x256xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<9x256xf32>) -> tensor<1x9x256xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<140x1x256xf32>) -> tensor<140x9x256xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x9x256xf32>) -> tensor<140x9x256xf32>
    %12 = stablehlo.subtract %10, %11 : tensor<140x9x256xf32>
    return %5, %12 : tensor<140x9x256xf32>, tensor<140x9x256xf32>
  }
}
