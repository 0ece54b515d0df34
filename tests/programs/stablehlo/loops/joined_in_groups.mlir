// tolerance: 1e-06
// in: draw 8 -1 9.5367431640625e-07 2097153
// out: sums 4.16131904 3.08301116 3.36631566 -2.55141 -1.3006295 -4.99387906 0.253296704 0.725977154 3.09297982 -0.341136805 -0.125188511 0.54790374 2.6902833 -2.29941967 -0.911843868 -3.5596626
// cost: 5 instructions, 943393 ticks
module {
  func.func public @main(%arg0: tensor<18x8xf32>) -> (tensor<8x18xf32>) {
    %0 = stablehlo.slice %arg0 [0:1, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<8xf32>
    %4 = stablehlo.tanh %3 : tensor<8xf32>
    %5 = stablehlo.slice %arg0 [1:2, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<8xf32>
    %9 = stablehlo.tanh %8 : tensor<8xf32>
    %10 = stablehlo.slice %arg0 [2:3, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<8xf32>
    %14 = stablehlo.tanh %13 : tensor<8xf32>
    %15 = stablehlo.slice %arg0 [3:4, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<8xf32>
    %19 = stablehlo.tanh %18 : tensor<8xf32>
    %20 = stablehlo.slice %arg0 [4:5, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<8xf32>
    %24 = stablehlo.tanh %23 : tensor<8xf32>
    %25 = stablehlo.slice %arg0 [5:6, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<8xf32>
    %29 = stablehlo.tanh %28 : tensor<8xf32>
    %30 = stablehlo.slice %arg0 [6:7, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.multiply %31, %32 : tensor<8xf32>
    %34 = stablehlo.tanh %33 : tensor<8xf32>
    %35 = stablehlo.slice %arg0 [7:8, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<8xf32>
    %39 = stablehlo.tanh %38 : tensor<8xf32>
    %40 = stablehlo.slice %arg0 [8:9, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<8xf32>
    %44 = stablehlo.tanh %43 : tensor<8xf32>
    %45 = stablehlo.slice %arg0 [9:10, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<8xf32>
    %49 = stablehlo.tanh %48 : tensor<8xf32>
    %50 = stablehlo.slice %arg0 [10:11, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<8xf32>
    %54 = stablehlo.tanh %53 : tensor<8xf32>
    %55 = stablehlo.slice %arg0 [11:12, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<8xf32>
    %59 = stablehlo.tanh %58 : tensor<8xf32>
    %60 = stablehlo.slice %arg0 [12:13, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %61 = stablehlo.reshape %60 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<8xf32>
    %64 = stablehlo.tanh %63 : tensor<8xf32>
    %65 = stablehlo.slice %arg0 [13:14, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %68 = stablehlo.multiply %66, %67 : tensor<8xf32>
    %69 = stablehlo.tanh %68 : tensor<8xf32>
    %70 = stablehlo.slice %arg0 [14:15, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %71 = stablehlo.reshape %70 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %73 = stablehlo.multiply %71, %72 : tensor<8xf32>
    %74 = stablehlo.tanh %73 : tensor<8xf32>
    %75 = stablehlo.slice %arg0 [15:16, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %76 = stablehlo.reshape %75 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<8xf32>
    %79 = stablehlo.tanh %78 : tensor<8xf32>
    %80 = stablehlo.slice %arg0 [16:17, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %81 = stablehlo.reshape %80 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %83 = stablehlo.multiply %81, %82 : tensor<8xf32>
    %84 = stablehlo.tanh %83 : tensor<8xf32>
    %85 = stablehlo.slice %arg0 [17:18, 0:8] : (tensor<18x8xf32>) -> tensor<1x8xf32>
    %86 = stablehlo.reshape %85 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %88 = stablehlo.multiply %86, %87 : tensor<8xf32>
    %89 = stablehlo.tanh %88 : tensor<8xf32>
    %90 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %91 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %92 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %93 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %94 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %95 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %96 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %97 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %98 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %99 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %100 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %101 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %102 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %103 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %104 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %105 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %106 = stablehlo.broadcast_in_dim %84, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %107 = stablehlo.broadcast_in_dim %89, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %108 = stablehlo.concatenate %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, dim = 1 : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
    %109 = stablehlo.concatenate %106, %107, dim = 1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
    %110 = stablehlo.concatenate %108, %109, dim = 1 : (tensor<8x16xf32>, tensor<8x2xf32>) -> tensor<8x18xf32>
    return %110 : tensor<8x18xf32>
  }
}
