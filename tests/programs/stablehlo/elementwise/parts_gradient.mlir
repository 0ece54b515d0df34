// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -2.58691202 3.18800505 0.448799095 -5.29662865 -3.49496679 1.2473126 -1.31505722 2.62627201 3.62489762 -0.876730256 2.08006094 -0.841768496 -0.6805417 0.839155704 -1.03313224 -0.468827589
// cost: 34 instructions, 1677216 ticks
module {
  func.func public @main(%arg0: tensor<30x60xf32>) -> (tensor<30x60xf32>) {
    %0 = stablehlo.slice %arg0 [0:30, 0:20] : (tensor<30x60xf32>) -> tensor<30x20xf32>
    %1 = stablehlo.slice %arg0 [0:30, 20:45] : (tensor<30x60xf32>) -> tensor<30x25xf32>
    %2 = stablehlo.slice %arg0 [0:30, 45:60] : (tensor<30x60xf32>) -> tensor<30x15xf32>
    %3 = stablehlo.tanh %0 : tensor<30x20xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x20xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<30x20xf32>
    %6 = stablehlo.slice %3 [0:30, 0:10] : (tensor<30x20xf32>) -> tensor<30x10xf32>
    %7 = stablehlo.slice %1 [0:30, 0:10] : (tensor<30x25xf32>) -> tensor<30x10xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<30x10xf32>
    %9 = stablehlo.slice %2 [0:30, 0:10] : (tensor<30x15xf32>) -> tensor<30x10xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<30x10xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<30x10xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<30x10xf32>
    %13 = stablehlo.multiply %8, %12 : tensor<30x10xf32>
    %14 = stablehlo.multiply %12, %9 : tensor<30x10xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.pad %13, %cst_2, low = [0, 0], high = [0, 5], interior = [0, 0] : (tensor<30x10xf32>, tensor<f32>) -> tensor<30x15xf32>
    %16 = stablehlo.multiply %6, %14 : tensor<30x10xf32>
    %17 = stablehlo.multiply %14, %7 : tensor<30x10xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %16, %cst_3, low = [0, 0], high = [0, 15], interior = [0, 0] : (tensor<30x10xf32>, tensor<f32>) -> tensor<30x25xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.pad %17, %cst_4, low = [0, 0], high = [0, 10], interior = [0, 0] : (tensor<30x10xf32>, tensor<f32>) -> tensor<30x20xf32>
    %20 = stablehlo.multiply %19, %5 : tensor<30x20xf32>
    %21 = stablehlo.multiply %20, %3 : tensor<30x20xf32>
    %22 = stablehlo.add %20, %21 : tensor<30x20xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.pad %15, %cst_5, low = [0, 45], high = [0, 0], interior = [0, 0] : (tensor<30x15xf32>, tensor<f32>) -> tensor<30x60xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.pad %18, %cst_6, low = [0, 20], high = [0, 15], interior = [0, 0] : (tensor<30x25xf32>, tensor<f32>) -> tensor<30x60xf32>
    %25 = stablehlo.add %23, %24 : tensor<30x60xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.pad %22, %cst_7, low = [0, 0], high = [0, 40], interior = [0, 0] : (tensor<30x20xf32>, tensor<f32>) -> tensor<30x60xf32>
    %27 = stablehlo.add %25, %26 : tensor<30x60xf32>
    return %27 : tensor<30x60xf32>
  }
}
