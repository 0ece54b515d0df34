// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 141.734201 413.672245 43.7569251 -92.2583534 44.3117382 -389.846901 8.53370617 -355.704344 -236.634872 -156.662963 16.5659182 -323.27874 222.025293 4.7922215 90.2148277 -226.775759
// cost: 9 instructions, 750793 ticks
module {
  func.func public @main(%arg0: tensor<30x20xf32>, %arg1: tensor<50x30xf32>) -> (tensor<30x20xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x30xf32>, tensor<30x20xf32>) -> tensor<50x20xf32>
    %1 = chlo.square %0 : tensor<50x20xf32> -> tensor<50x20xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<50x20xf32>
    %3 = stablehlo.multiply %2, %0 : tensor<50x20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<50x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<50x20xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<50x20xf32>
    %7 = stablehlo.dot_general %6, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x20xf32>, tensor<50x30xf32>) -> tensor<20x30xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<20x30xf32>) -> tensor<30x20xf32>
    return %8 : tensor<30x20xf32>
  }
}
