// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -7.14255776 -4.28392868 -12.1938665 -2.48274724 -4.50468999 -6.85425217 2.05542642 -19.0095013 -2.74469578 -7.48987709 -1.47470815 -5.3645189 -7.27515516 -9.12152827 -2.48399334 -10.7535449
// cost: 6 instructions, 905814 ticks
module {
  func.func public @main(%arg0: tensor<21x40xf32>) -> (tensor<20x20xf32>) {
    %0 = stablehlo.slice %arg0 [1:21, 0:40:2] : (tensor<21x40xf32>) -> tensor<20x20xf32>
    %1 = stablehlo.slice %arg0 [0:20, 1:40:2] : (tensor<21x40xf32>) -> tensor<20x20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<20x20xf32>
    %3 = stablehlo.slice %arg0 [0:1, 0:20] : (tensor<21x40xf32>) -> tensor<1x20xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<20x20xf32>
    %5 = stablehlo.subtract %2, %4 : tensor<20x20xf32>
    return %5 : tensor<20x20xf32>
  }
}
