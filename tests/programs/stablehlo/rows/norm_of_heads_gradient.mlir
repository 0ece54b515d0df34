// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -104.077527 -32.8308386 -28.1800839 -47.2557963 -9.56399801 -19.567553 -23.4200969 -90.4906599 -113.675867 -57.7279495 -42.3083854 19.4261116 -15.7149453 0.0948016872 77.0779936 41.3552147
// out: sums 62.9458468 43.7275971 -22.4777642 -111.466971 74.6292064 -48.6761648 40.1085911 0 -15.9574524 0 -2.79073727 0.165692998 -8.16862893 128.332166 32.2690569 72.006148
// cost: 629 instructions, 9471424 ticks
module {
  func.func public @main(%arg0: tensor<1x128x4x48xf32>, %arg1: tensor<48xf32>) -> (tensor<1x128x4x48xf32>, tensor<48xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<1x128x4x48xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<1x128x4x48xf32>, tensor<f32>) -> tensor<1x128x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x128x4xf32>) -> tensor<1x128x4x1xf32>
    %cst_0 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x128x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1x128x4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x128x4x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<1x128x4x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x128x4x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<1x128x4x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x128x4x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<1x128x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x128x4x1xf32>) -> tensor<1x128x4x48xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<1x128x4x48xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<48xf32>) -> tensor<1x1x1x48xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x48xf32>) -> tensor<1x128x4x48xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<1x128x4x48xf32>
    %16 = stablehlo.sine %15 : tensor<1x128x4x48xf32>
    %17 = stablehlo.cosine %15 : tensor<1x128x4x48xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x128x4x48xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x128x4x48xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<1x128x4x48xf32>
    %21 = stablehlo.multiply %12, %20 : tensor<1x128x4x48xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_5) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x128x4x48xf32>, tensor<f32>) -> tensor<1x48xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x48xf32>) -> tensor<1x1x1x48xf32>
    %24 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x48xf32>) -> tensor<1x128x4x48xf32>
    %25 = stablehlo.multiply %20, %24 : tensor<1x128x4x48xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x48xf32>, tensor<f32>) -> tensor<48xf32>
    %27 = stablehlo.multiply %arg0, %25 : tensor<1x128x4x48xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<1x128x4x48xf32>, tensor<f32>) -> tensor<1x128x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x128x4xf32>) -> tensor<1x128x4x1xf32>
    %30 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x128x4x1xf32>) -> tensor<1x128x4x48xf32>
    %31 = stablehlo.multiply %25, %30 : tensor<1x128x4x48xf32>
    %32 = stablehlo.multiply %29, %10 : tensor<1x128x4x1xf32>
    %cst_8 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x128x4x1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<1x128x4x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x128x4x1xf32>, tensor<f32>) -> tensor<128x4xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<128x4xf32>) -> tensor<1x128x4xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x128x4xf32>) -> tensor<1x128x4x48xf32>
    %38 = stablehlo.multiply %arg0, %37 : tensor<1x128x4x48xf32>
    %39 = stablehlo.add %31, %38 : tensor<1x128x4x48xf32>
    %40 = stablehlo.multiply %37, %arg0 : tensor<1x128x4x48xf32>
    %41 = stablehlo.add %39, %40 : tensor<1x128x4x48xf32>
    return %41, %26 : tensor<1x128x4x48xf32>, tensor<48xf32>
  }
}
